/** The policy for an application's own clients of the Azure SDK, the facts of their requests, read preferences, and limits. */
@NullMarked
package io.stowline.transport;

import org.jspecify.annotations.NullMarked;
