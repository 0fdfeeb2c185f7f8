/** The relays that send the messages of outboxes, which run with the application, and their health contributor. */
@NullMarked
package io.stowline.spring.boot.outbox;

import org.jspecify.annotations.NullMarked;
