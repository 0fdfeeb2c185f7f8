/**
 * Requests and responses as the HTTP client takes and gives them, their bounds and bodies. Every room above uses it. It calls no other
 * room.
 */
@NullMarked
package io.stowline.transport.internal.http;

import org.jspecify.annotations.NullMarked;
