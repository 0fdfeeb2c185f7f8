/** Azurite for JUnit and for plain programs. */
@NullMarked
package io.stowline.testkit;

import org.jspecify.annotations.NullMarked;
