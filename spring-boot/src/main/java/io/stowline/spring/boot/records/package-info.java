/**
 * The writers of records that properties under {@code stowline.records} declare, with their meters and their health contributor. Spring calls
 * this room; an application may implement {@link io.stowline.spring.boot.records.RecordWriterCustomizer}. It uses the public API of the client
 * and of {@code stowline-records}, which is optional, {@code account}, {@code json} by its bean, and {@code autoconfigure}.
 */
@NullMarked
package io.stowline.spring.boot.records;

import org.jspecify.annotations.NullMarked;
