/**
 * An annotation processor for applications that become native images without a framework. The compiler finds it on its processor path; at run time
 * nothing of it is there.
 *
 * <p>{@link io.stowline.processor.EntityTypeProcessor} writes a file of reachability metadata into the classes that it compiles. It names the types
 * whose components or constructor parameters have an annotation of {@code io.stowline.projection}, the values that are nested in them, and their
 * converters, such as this one:
 *
 * <pre>{@code
 * record Visit(@PartitionKey String page, @RowKey String time, int seconds) {}
 * }</pre>
 *
 * <p>The option {@code stowline.types} adds types without such an annotation, such as the bodies of messages:
 *
 * <pre>
 * javac -processorpath stowline-processor.jar -Astowline.types=com.acme.Parcel,com.acme.Receipt ...
 * </pre>
 *
 * <p>GraalVM for JDK 23 and newer reads the file. An application of Spring Boot needs none of this: the starter registers the types of its beans.
 */
@NullMarked
package io.stowline.processor;

import org.jspecify.annotations.NullMarked;
