/** The checks of blobs: names, blocks, pages and conditions. The stage calls them. */
@NullMarked
package io.stowline.testkit.internal.strict.blob;

import org.jspecify.annotations.NullMarked;
