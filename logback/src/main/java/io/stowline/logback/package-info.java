/**
 * A Logback appender that collects log events into blobs: {@link io.stowline.logback.RecordAppender}.
 *
 * <pre>{@code
 * void attach(LoggerContext context, BlobContainer logs) {
 *     JsonEncoder encoder = new JsonEncoder();
 *     encoder.setContext(context);
 *     encoder.start();
 *     RecordAppender appender = new RecordAppender(); // or <appender class="io.stowline.logback.RecordAppender"> in logback.xml
 *     appender.setContext(context);
 *     appender.setEncoder(encoder);
 *     appender.setBlobContainer(logs);
 *     appender.setPrefix("shop/");
 *     appender.setJournal("/var/lib/shop/log-journal");
 *     appender.start();
 *     context.getLogger("ROOT").addAppender(appender);
 * }
 * }</pre>
 *
 * <p>Logging neither throws nor waits for the service: an event that has no room is discarded after a short wait, and counted. The appender
 * logs nothing by SLF4J; its own troubles are in Logback's status.
 *
 * <p>Logback calls this package. It calls the API of {@code stowline-records} and of the client.
 */
@NullMarked
package io.stowline.logback;

import org.jspecify.annotations.NullMarked;
