/** Activities of an application in large blobs: a process that produces them kills itself, and another one goes on. */
@NullMarked
package io.stowline.examples.activities;

import org.jspecify.annotations.NullMarked;
