/**
 * The reading of XML in responses, strict about its form. Rooms of the services that read lists, messages, policies and properties use it,
 * and so do listings of names. It calls no other room.
 */
@NullMarked
package io.stowline.transport.internal.xml;

import org.jspecify.annotations.NullMarked;
