package io.stowline.system.recordings;

import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

/** HttpTimes in the form of HTTP. */
final class HttpTimes {

    private HttpTimes() {}

    static Instant of(String http) {
        return ZonedDateTime.parse(http, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    }
}
