/**
 * Errors of the service as they stand in responses, the test for responses of gateways, exceptions with a new stack, and the redaction of
 * secrets. Every room above uses it. It calls http and http.response only.
 */
@NullMarked
package io.stowline.transport.internal.error;

import org.jspecify.annotations.NullMarked;
