/** Orders of tenants over two accounts: a third account joins while applications write. */
@NullMarked
package io.stowline.examples.ring;

import org.jspecify.annotations.NullMarked;
