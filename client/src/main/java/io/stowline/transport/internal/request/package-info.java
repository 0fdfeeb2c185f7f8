/**
 * The parts of an operation's exchange: its request, its cost, its execution options and how its response is parsed.
 * The pipeline and the rooms of the services use it. It calls account, error and http.
 */
@NullMarked
package io.stowline.transport.internal.request;

import org.jspecify.annotations.NullMarked;
