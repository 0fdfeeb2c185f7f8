/** An annotation processor that registers entity types for native images. */
module io.stowline.processor {
    requires transitive java.compiler;
    requires static transitive org.jspecify;

    exports io.stowline.processor;

    provides javax.annotation.processing.Processor with
            io.stowline.processor.EntityTypeProcessor;
}
