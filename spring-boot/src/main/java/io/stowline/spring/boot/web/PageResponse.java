package io.stowline.spring.boot.web;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of a response with one page of a list: {@code {"values": [..], "next": "/runners/2026?page=..&size=100"}}.
 *
 * @param values the results of the page
 * @param next the address of the next page, a path with its query; {@code null} at the end
 * @param <T> what a result is
 */
public record PageResponse<T>(List<T> values, @Nullable URI next) {

    /**
     * Holds a page.
     *
     * @param values the results
     * @param next the address of the next page, or {@code null}
     */
    public PageResponse {
        values = List.copyOf(values);
    }
}
