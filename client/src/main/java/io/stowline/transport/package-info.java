/** The policy for an application's own clients of the Azure SDK. */
@NullMarked
package io.stowline.transport;

import org.jspecify.annotations.NullMarked;
