/**
 * Observes operations for the application's listener and counts them as in flight. The pipeline and the rooms of the services report to
 * it. It calls limits and concurrent.
 */
@NullMarked
package io.stowline.transport.internal.observe;

import org.jspecify.annotations.NullMarked;
