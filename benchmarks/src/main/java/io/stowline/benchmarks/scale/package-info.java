/**
 * The simulator of many accounts and clients: its scenarios, its figures and their pictures. A command line calls it. It calls the model in
 * virtual time.
 */
@NullMarked
package io.stowline.benchmarks.scale;

import org.jspecify.annotations.NullMarked;
