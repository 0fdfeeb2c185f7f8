package io.stowline.projection;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.Currency;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Says which class loaders go when memory runs short; a separate program, for it runs out of memory. */
public final class Unloading {

    private Unloading() {}

    /** Stays, whatever the loaders do. */
    public record Shared(@PartitionKey String pk, @RowKey String rk, Currency money, String text) {}

    /** Stays too, and has no annotation, through which it would know one library. */
    public record Plain(String text, int number) {}

    /** Comes and goes with its loader. */
    public static final class Guest {

        static @Nullable Mapping kept;

        public record Own(@RowKey String rk, int number) {}

        private Guest() {}

        private static Mapping mapping() {
            return Mapping.builder()
                    .convert(
                            Currency.class,
                            Converter.of(
                                    String.class,
                                    currency -> currency.getCurrencyCode(),
                                    code -> Currency.getInstance(code)))
                    .build();
        }

        public static void keepsItsMapping() {
            Mapping mapping = mapping();
            kept = mapping;
            EntityType.of(Shared.class, mapping).newReader();
        }

        public static void forgetsItsMapping() {
            EntityType.of(Shared.class, mapping()).newReader();
        }

        public static void mapsItsOwnType() {
            EntityType.of(Own.class).newReader();
        }

        public static void bringsTheLibrary() {
            EntityType.of(Plain.class).newReader();
        }
    }

    /** Defines some of the classes again, and leaves the others to its parent. */
    private static final class Loader extends ClassLoader {

        private final Predicate<String> own;

        Loader(Predicate<String> own) {
            super(Unloading.class.getClassLoader());
            this.own = own;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            Class<?> loaded = own.test(name) ? findLoadedClass(name) : super.loadClass(name, resolve);
            return loaded == null ? define(name) : loaded;
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    private static WeakReference<ClassLoader> run(Predicate<String> own, String method)
            throws ReflectiveOperationException {
        ClassLoader loader = new Loader(own);
        loader.loadClass(Guest.class.getName()).getMethod(method).invoke(null);
        return new WeakReference<>(loader);
    }

    private static boolean isGuest(String name) {
        return name.startsWith(Guest.class.getName());
    }

    private static boolean isLibrary(String name) {
        return name.startsWith(Unloading.class.getPackageName() + ".") && !name.equals(Plain.class.getName());
    }

    /** Soft references are cleared before memory is refused. */
    private static void fillMemory() {
        try {
            Object[] chain = {};
            while (true) {
                chain = new Object[] {chain, new byte[1 << 20]};
            }
        } catch (OutOfMemoryError e) {
            System.gc();
        }
    }

    private static void say(String what, WeakReference<ClassLoader> loader) {
        System.out.println(what + (loader.get() == null ? " collected" : " KEPT"));
    }

    public static void main(String[] arguments) throws ReflectiveOperationException {
        WeakReference<EntityType<?>> type = new WeakReference<>(EntityType.of(Shared.class, Guest.mapping()));
        EntityType.of(Plain.class);
        WeakReference<ClassLoader> keeping = run(Unloading::isGuest, "keepsItsMapping");
        WeakReference<ClassLoader> forgetting = run(Unloading::isGuest, "forgetsItsMapping");
        WeakReference<ClassLoader> owning = run(Unloading::isGuest, "mapsItsOwnType");
        WeakReference<ClassLoader> bringing = run(Unloading::isLibrary, "bringsTheLibrary");
        fillMemory();

        say("mapping in a static field", keeping);
        say("mapping that nobody holds", forgetting);
        say("type of the loader", owning);
        say("library of the loader", bringing);
        System.out.println("made again "
                + (type.get() == null && EntityType.of(Plain.class).properties().size() == 2));
    }
}
