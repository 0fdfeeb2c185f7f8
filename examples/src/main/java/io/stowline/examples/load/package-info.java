/**
 * The loader: rows of CSV or JSON become entities, each once, also when the process is killed on the way. {@code TableLoad} is its door;
 * {@code InputFile} and {@code RowSource} read rows for other programs too. It uses the public API of the client and {@code shared}.
 */
@NullMarked
package io.stowline.examples.load;

import org.jspecify.annotations.NullMarked;
