/**
 * Observes operations for the application's listener, counts them as in flight, and logs endpoints without responses. The pipeline and the rooms of the services report to
 * it. It calls limits and concurrent.
 */
@NullMarked
package io.stowline.transport.internal.observe;

import org.jspecify.annotations.NullMarked;
