/**
 * The property types of the table service, their texts, names and limits. Every package of the module and {@code stowline-client} use it.
 * It calls no other room.
 */
@NullMarked
package io.stowline.projection.internal.edm;

import org.jspecify.annotations.NullMarked;
