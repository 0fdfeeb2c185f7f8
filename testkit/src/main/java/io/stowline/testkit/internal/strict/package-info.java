/** What the services refuse and the emulator lets pass. */
@NullMarked
package io.stowline.testkit.internal.strict;

import org.jspecify.annotations.NullMarked;
