/**
 * The way of a request to one service: attempts with retry, admission, authorization, the verdict on each response, and errors. The rooms
 * of the services send through it. It calls all rooms but sdk and client.
 */
@NullMarked
package io.stowline.transport.internal.pipeline;

import org.jspecify.annotations.NullMarked;
