/** The registrations of a marathon as a service: REST with ETags, imports of CSV, lists with page tokens, and problem details. */
@NullMarked
package io.stowline.examples.registrations;

import org.jspecify.annotations.NullMarked;
