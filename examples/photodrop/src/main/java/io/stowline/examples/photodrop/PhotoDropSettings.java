package io.stowline.examples.photodrop;

import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.util.unit.DataSize;

/**
 * The settings of the photo drop.
 *
 * @param origins the origins of the page, such as {@code https://photos.example.com}
 * @param maxSize the bytes that a photo may have
 * @param uploadTime the time for which the signature of an upload is good
 */
@ConfigurationProperties("photodrop")
record PhotoDropSettings(List<String> origins, DataSize maxSize, Duration uploadTime) {}
