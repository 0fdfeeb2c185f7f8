/** The policy for an application's own clients of the Azure SDK, and what is said of requests and of where they go. */
@NullMarked
package io.stowline.transport;

import org.jspecify.annotations.NullMarked;
