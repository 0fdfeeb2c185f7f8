package io.stowline.spring.boot.resource;

import java.util.Set;
import org.springframework.context.ApplicationEvent;

/**
 * The event that configuration which is imported from a blob has changed: the environment has the new values. Beans of configuration properties
 * keep theirs; an application binds what it needs again:
 *
 * <pre>{@code
 * @Component
 * class Limits {
 *     @EventListener
 *     void changed(BlobConfigChangedEvent event) {
 *         log.info("{} has changed {}", event.location(), event.keys());
 *     }
 * }
 * }</pre>
 */
public final class BlobConfigChangedEvent extends ApplicationEvent {

    private static final long serialVersionUID = 1L;

    private final String location;
    private final String etag;

    @SuppressWarnings("serial") // Set.copyOf makes a serializable set
    private final Set<String> keys;

    BlobConfigChangedEvent(BlobConfigReload source, String location, String etag, Set<String> keys) {
        super(source);
        this.location = location;
        this.etag = etag;
        this.keys = Set.copyOf(keys);
    }

    /**
     * Returns the location of the blob.
     *
     * @return such as {@code azure-blob://config/application.yml}
     */
    public String location() {
        return location;
    }

    /**
     * Returns the version whose values the environment has.
     *
     * @return the ETag
     */
    public String etag() {
        return etag;
    }

    /**
     * Returns the keys that were added, removed or changed. Their values are not part of the event.
     *
     * @return the keys as they stand in the blob
     */
    public Set<String> keys() {
        return keys;
    }
}
