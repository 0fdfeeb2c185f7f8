package io.stowline.projection.internal.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.projection.EntityType;
import io.stowline.projection.SourceModules;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library as a named module, and an application module that opens some of its packages. */
class TypeAccessTest {

    private static final Path LIBRARY = SourceModules.location(EntityType.class);
    private static final Path JSPECIFY = SourceModules.location(Nullable.class);

    @TempDir
    private static Path folder;

    private static ModuleLayer layer;

    @BeforeAll
    static void startTheModules() {
        Path app = SourceModules.compile(
                folder,
                List.of(LIBRARY, JSPECIFY),
                Map.of(
                        "module-info.java",
                        "module shop { requires io.stowline.projection; exports shop.api; opens shop.opened; }",
                        "shop/closed/Hidden.java",
                        "package shop.closed; record Hidden(String text, int count) {}",
                        "shop/opened/Opened.java",
                        "package shop.opened; record Opened(String text, int count) {}",
                        "shop/api/Exported.java",
                        "package shop.api; public record Exported(String text, int count) {}",
                        "shop/api/Internal.java",
                        "package shop.api; record Internal(String text, int count) {}"));
        ModuleLayer boot = ModuleLayer.boot();
        Configuration modules = boot.configuration()
                .resolve(ModuleFinder.of(app, LIBRARY, JSPECIFY), ModuleFinder.of(), Set.of("shop"));
        layer = boot.defineModulesWithOneLoader(modules, ClassLoader.getPlatformClassLoader());
    }

    private static Object register(String name) throws ReflectiveOperationException {
        ClassLoader loader = layer.findLoader("shop");
        Class<?> recordType = loader.loadClass(EntityType.class.getName());
        assertThat(recordType.getModule().getName()).isEqualTo("io.stowline.projection");
        return recordType.getMethod("of", Class.class).invoke(null, loader.loadClass(name));
    }

    @Test
    void reachesARecordOfAnOpenedPackage() throws ReflectiveOperationException {
        assertThat(register("shop.opened.Opened")).hasToString("EntityType[shop.opened.Opened]");
    }

    @Test
    void reachesAPublicRecordOfAnExportedPackage() throws ReflectiveOperationException {
        assertThat(register("shop.api.Exported")).hasToString("EntityType[shop.api.Exported]");
    }

    @Test
    void namesTheMissingOpens() {
        assertThatThrownBy(() -> register("shop.closed.Hidden"))
                .isInstanceOf(InvocationTargetException.class)
                .cause()
                .hasMessageContaining("shop.closed.Hidden")
                .hasMessageContaining("module shop")
                .hasMessageContaining("\"opens shop.closed to io.stowline.projection;\"");
        assertThatThrownBy(() -> register("shop.api.Internal"))
                .cause()
                .hasMessageContaining("\"opens shop.api to io.stowline.projection;\"");
    }
}
