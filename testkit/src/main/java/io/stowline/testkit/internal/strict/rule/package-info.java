/**
 * The common part of all checks of strict mode: the rules that are in force, and the refusal that a check throws. It
 * reads requests and knows no service.
 */
@NullMarked
package io.stowline.testkit.internal.strict.rule;

import org.jspecify.annotations.NullMarked;
