/**
 * The stage of strict mode: it runs the checks of the services over each request and sends the refusals. The fault
 * proxy calls it. It calls the rooms of the checks.
 */
@NullMarked
package io.stowline.testkit.internal.strict;

import org.jspecify.annotations.NullMarked;
