/**
 * Writers that hand the components of a value to the codec. The scan room composes them. It calls type and edm.
 */
@NullMarked
package io.stowline.projection.internal.write;

import org.jspecify.annotations.NullMarked;
