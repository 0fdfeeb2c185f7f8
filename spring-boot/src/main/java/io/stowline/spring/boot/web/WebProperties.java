package io.stowline.spring.boot.web;

import io.stowline.spring.boot.account.PropertyValue;
import io.stowline.spring.boot.account.StowlineConfigurationException;
import java.net.URI;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the HTTP interface.
 *
 * <p>Immutable and thread-safe.
 *
 * @param problemDetails Problem details of exceptions.
 * @param page Pages of lists.
 */
@ConfigurationProperties(WebProperties.PREFIX)
record WebProperties(
        @DefaultValue ProblemDetails problemDetails,
        @DefaultValue PageProperties page) {

    static final String PREFIX = "stowline.web";
    static final String PROBLEM_DETAILS_ENABLED = PREFIX + ".problem-details.enabled";

    private static final int MAX_PAGE = 1_000;

    /**
     * The properties of problem details.
     *
     * @param enabled Whether exceptions of Stowline become problem details.
     * @param typePrefix Beginning of the type of a problem, which the name of the type follows: a URI, or a path.
     */
    record ProblemDetails(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("/problems/") String typePrefix) {}

    /**
     * The properties of pages.
     *
     * @param tokenParameter Name of the request parameter with the token of the page before.
     * @param sizeParameter Name of the request parameter with the size of a page.
     * @param defaultSize Size of a page without that parameter.
     * @param maxSize Largest size that a request may have, up to 1000.
     */
    record PageProperties(
            @DefaultValue("page") String tokenParameter,
            @DefaultValue("size") String sizeParameter,
            @DefaultValue("100") int defaultSize,
            @DefaultValue("1000") int maxSize) {}

    /** Returns the beginning of the types of problems. */
    String checkedTypePrefix() {
        String prefix = problemDetails.typePrefix();
        try {
            URI.create(prefix + ProblemType.INTERNAL.ending());
            return prefix;
        } catch (IllegalArgumentException e) {
            throw new PropertyValue<>(PREFIX + ".problem-details.type-prefix", prefix)
                    .refused("with the name of a type it must be a URI", e);
        }
    }

    /** Returns the properties of pages if they are in range. */
    PageProperties checkedPage() {
        if (page.maxSize() < 1 || page.maxSize() > MAX_PAGE) {
            throw refused("max-size", page.maxSize(), "the service has pages of 1 to " + MAX_PAGE + " entities");
        }
        if (page.defaultSize() < 1 || page.defaultSize() > page.maxSize()) {
            throw refused(
                    "default-size", page.defaultSize(), "it must be 1 to " + page.maxSize() + ", as max-size has it");
        }
        if (page.tokenParameter().isBlank() || page.tokenParameter().equals(page.sizeParameter())) {
            throw refused("token-parameter", page.tokenParameter(), "it must be a name other than that of the size");
        }
        if (page.sizeParameter().isBlank()) {
            throw refused("size-parameter", page.sizeParameter(), "it must be a name");
        }
        return page;
    }

    private static StowlineConfigurationException refused(String name, Object value, String reason) {
        return new PropertyValue<>(PREFIX + ".page." + name, value).refused(reason);
    }
}
