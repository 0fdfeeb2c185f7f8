/**
 * Blobs as resources of Spring: {@code azure-blob://photos/2026/a.jpg}, each bound to one version; patterns of them, and configuration that is
 * imported from them.
 *
 * <p>A {@link org.springframework.core.io.ResourceLoader} of the application gives a {@link io.stowline.spring.boot.resource.BlobResource}, and the bean
 * {@link io.stowline.spring.boot.resource.BlobResources} finds those that match a pattern:
 *
 * <pre>{@code
 * @Component
 * class Gallery {
 *     Gallery(@Value("azure-blob://photos/title.txt") Resource title, BlobResources resources) throws IOException {
 *         log.info("{}: {}", title.getContentAsString(UTF_8), resources.find("azure-blob://photos/2026/**}{@code /*.jpg"));
 *     }
 * }
 * }</pre>
 *
 * <p>The first access binds a resource to the version of its blob: length, time and bytes are of that version, and a blob that changes is an
 * error, never a mixture. This room uses the public API of the client only; Spring's web module is optional.
 */
@NullMarked
package io.stowline.spring.boot.resource;

import org.jspecify.annotations.NullMarked;
