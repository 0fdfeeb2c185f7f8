/** The entry: {@link io.stowline.Stowline} connects to an account and gives its tables. */
@NullMarked
package io.stowline;

import org.jspecify.annotations.NullMarked;
