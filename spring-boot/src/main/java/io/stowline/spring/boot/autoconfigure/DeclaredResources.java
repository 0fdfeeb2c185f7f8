package io.stowline.spring.boot.autoconfigure;

import java.util.List;

/**
 * The resources that one {@link StowlineBeans} declares, as a bean. Immutable and thread-safe.
 *
 * @param resources the resources in the order of their declaration
 */
public record DeclaredResources(List<DeclaredResource> resources) {

    /**
     * Keeps a copy of the list.
     *
     * @param resources the resources in the order of their declaration
     */
    public DeclaredResources {
        resources = List.copyOf(resources);
    }
}
