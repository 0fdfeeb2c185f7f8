/** Azurite and a fault proxy for JUnit and for plain programs. */
module io.stowline.testkit {
    requires transitive org.jspecify;
    requires static org.junit.jupiter.api;
    requires static com.azure.core;
    requires org.slf4j;
    requires com.fasterxml.jackson.core;
    requires java.xml;
    requires org.apache.httpcomponents.core5.httpcore5;

    exports io.stowline.testkit;
    exports io.stowline.testkit.memory;
    exports io.stowline.testkit.stress;
}
