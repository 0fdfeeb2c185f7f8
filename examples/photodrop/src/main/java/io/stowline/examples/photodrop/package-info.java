/** Photo drop: a page whose browser uploads photos straight to the storage, and the service that signs for it. */
@NullMarked
package io.stowline.examples.photodrop;

import org.jspecify.annotations.NullMarked;
