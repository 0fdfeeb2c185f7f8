/** Java types to properties: records, filters and keys. */
@SuppressWarnings("module") // exports to a module that is built later
module io.stowline.projection {
    requires transitive org.jspecify;

    exports io.stowline.projection;
    exports io.stowline.projection.filter;
    exports io.stowline.projection.key;
    exports io.stowline.projection.internal.edm to
            io.stowline.client;
    exports io.stowline.projection.internal.read to
            io.stowline.client;
    exports io.stowline.projection.internal.scan to
            io.stowline.client;
    exports io.stowline.projection.internal.type to
            io.stowline.client;
    exports io.stowline.projection.internal.write to
            io.stowline.client;
}
