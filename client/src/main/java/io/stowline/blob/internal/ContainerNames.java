package io.stowline.blob.internal;

import io.stowline.transport.StorageLimits;
import java.util.Set;
import java.util.regex.Pattern;

/** The service's rule for names of containers (its page "Naming and referencing containers, blobs, and metadata"). */
final class ContainerNames {

    private static final Pattern NAME = Pattern.compile("(?=.{%d,%d}$)[a-z0-9]+(-[a-z0-9]+)*"
            .formatted(StorageLimits.CONTAINER_NAME_MIN_CHARS, StorageLimits.CONTAINER_NAME_MAX_CHARS));

    private static final Set<String> RESERVED = Set.of("$root", "$web", "$logs");

    private ContainerNames() {}

    static String check(String name) {
        if (!NAME.matcher(name).matches() && !RESERVED.contains(name)) {
            throw new IllegalArgumentException("container name '" + name
                    + "' must be 3 to 63 lower-case letters, digits and single hyphens between them ("
                    + name.length() + " characters given)");
        }
        return name;
    }
}
