/**
 * JSON as bytes: a cursor over responses and a builder for requests. The codec and request rooms use it. It calls no other room of
 * tables.
 */
@NullMarked
package io.stowline.table.internal.json;

import org.jspecify.annotations.NullMarked;
