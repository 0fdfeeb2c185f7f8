/**
 * The JSON of message bodies by the {@code JsonMapper} of Spring Boot, so that queues and HTTP responses of an application have one mapping. It
 * gives each client a serializer before the application's customizers; the mapping of the library stays where there is no such mapper, or by a
 * property. This room uses the public API of the client only; Jackson 3 is optional.
 */
@NullMarked
package io.stowline.spring.boot.json;

import org.jspecify.annotations.NullMarked;
