package io.stowline.system.reachability;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A trace of reflective calls. Each method stands for the one of its name: it does the same, and notes the caller and the thing that was found. Its
 * last two arguments are the caller, and whether the other ones are literals.
 */
public final class ReflectionTrace {

    /** Marks the methods that stand for another one. */
    @Retention(RetentionPolicy.RUNTIME)
    @interface Traced {}

    private static final Set<String> LINES = new ConcurrentSkipListSet<>();

    private ReflectionTrace() {}

    static void writeAtExitTo(String file) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                Files.write(Path.of(file), LINES);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }));
    }

    /** Forgets what was noted before. */
    static void begin() {
        LINES.clear();
    }

    private static void note(String caller, boolean literal, String kind, Class<?> type, String member) {
        note(caller, literal, kind, type.getName(), member);
    }

    private static void note(String caller, boolean literal, String kind, String name, String member) {
        LINES.add(String.join("\t", caller, literal ? "literal" : "computed", kind, name, member));
    }

    @Traced
    public static Class<?> forName(String name, String caller, boolean literal) throws ClassNotFoundException {
        Class<?> type = Class.forName(name, true, ReflectionTrace.class.getClassLoader());
        note(caller, literal, "type", type, "");
        return type;
    }

    @Traced
    public static Class<?> forName(String name, boolean initialize, ClassLoader loader, String caller, boolean literal)
            throws ClassNotFoundException {
        Class<?> type = Class.forName(name, initialize, loader);
        note(caller, literal, "type", type, "");
        return type;
    }

    @Traced
    public static Class<?> loadClass(ClassLoader loader, String name, String caller, boolean literal)
            throws ClassNotFoundException {
        Class<?> type = loader.loadClass(name);
        note(caller, literal, "type", type, "");
        return type;
    }

    @Traced
    public static Method getMethod(Class<?> type, String name, Class<?>[] parameters, String caller, boolean literal)
            throws NoSuchMethodException {
        Method method = type.getMethod(name, parameters);
        note(caller, literal, "method", method.getDeclaringClass(), name);
        return method;
    }

    @Traced
    public static Method getDeclaredMethod(
            Class<?> type, String name, Class<?>[] parameters, String caller, boolean literal)
            throws NoSuchMethodException {
        Method method = type.getDeclaredMethod(name, parameters);
        note(caller, literal, "method", type, name);
        return method;
    }

    @Traced
    public static Constructor<?> getConstructor(Class<?> type, Class<?>[] parameters, String caller, boolean literal)
            throws NoSuchMethodException {
        Constructor<?> constructor = type.getConstructor(parameters);
        note(caller, literal, "method", type, "<init>");
        return constructor;
    }

    @Traced
    public static Constructor<?> getDeclaredConstructor(
            Class<?> type, Class<?>[] parameters, String caller, boolean literal) throws NoSuchMethodException {
        Constructor<?> constructor = type.getDeclaredConstructor(parameters);
        note(caller, literal, "method", type, "<init>");
        return constructor;
    }

    @Traced
    public static Field getField(Class<?> type, String name, String caller, boolean literal)
            throws NoSuchFieldException {
        Field field = type.getField(name);
        note(caller, literal, "field", field.getDeclaringClass(), name);
        return field;
    }

    @Traced
    public static Field getDeclaredField(Class<?> type, String name, String caller, boolean literal)
            throws NoSuchFieldException {
        Field field = type.getDeclaredField(name);
        note(caller, literal, "field", type, name);
        return field;
    }

    @Traced
    public static Method[] getMethods(Class<?> type, String caller, boolean literal) {
        note(caller, literal, "members", type, "methods");
        return type.getMethods();
    }

    @Traced
    public static Method[] getDeclaredMethods(Class<?> type, String caller, boolean literal) {
        note(caller, literal, "members", type, "methods");
        return type.getDeclaredMethods();
    }

    @Traced
    public static Field[] getFields(Class<?> type, String caller, boolean literal) {
        note(caller, literal, "members", type, "fields");
        return type.getFields();
    }

    @Traced
    public static Field[] getDeclaredFields(Class<?> type, String caller, boolean literal) {
        note(caller, literal, "members", type, "fields");
        return type.getDeclaredFields();
    }

    @Traced
    public static Constructor<?>[] getConstructors(Class<?> type, String caller, boolean literal) {
        note(caller, literal, "members", type, "constructors");
        return type.getConstructors();
    }

    @Traced
    public static Constructor<?>[] getDeclaredConstructors(Class<?> type, String caller, boolean literal) {
        note(caller, literal, "members", type, "constructors");
        return type.getDeclaredConstructors();
    }

    @Traced
    public static RecordComponent[] getRecordComponents(Class<?> type, String caller, boolean literal) {
        note(caller, literal, "members", type, "components");
        return type.getRecordComponents();
    }

    @Traced
    public static Class<?>[] getPermittedSubclasses(Class<?> type, String caller, boolean literal) {
        note(caller, literal, "members", type, "subclasses");
        return type.getPermittedSubclasses();
    }

    @Traced
    public static @Nullable URL getResource(Class<?> type, String name, String caller, boolean literal) {
        return resource(type.getResource(name), type, name, caller, literal);
    }

    @Traced
    public static @Nullable InputStream getResourceAsStream(
            Class<?> type, String name, String caller, boolean literal) {
        return resource(type.getResourceAsStream(name), type, name, caller, literal);
    }

    private static <T extends @Nullable Object> T resource(
            T found, Class<?> type, String name, String caller, boolean literal) {
        if (found != null) {
            note(
                    caller,
                    literal,
                    "resource",
                    name.startsWith("/")
                            ? name.substring(1)
                            : type.getPackageName().replace('.', '/') + "/" + name,
                    "");
        }
        return found;
    }

    @Traced
    public static @Nullable URL getResource(ClassLoader loader, String name, String caller, boolean literal) {
        URL found = loader.getResource(name);
        if (found != null) {
            note(caller, literal, "resource", name, "");
        }
        return found;
    }

    @Traced
    public static @Nullable InputStream getResourceAsStream(
            ClassLoader loader, String name, String caller, boolean literal) {
        InputStream found = loader.getResourceAsStream(name);
        if (found != null) {
            note(caller, literal, "resource", name, "");
        }
        return found;
    }

    @Traced
    public static Enumeration<URL> getResources(ClassLoader loader, String name, String caller, boolean literal)
            throws IOException {
        Enumeration<URL> found = loader.getResources(name);
        if (found.hasMoreElements()) {
            note(caller, literal, "resource", name, "");
        }
        return found;
    }

    @Traced
    public static MethodHandle findVirtual(
            MethodHandles.Lookup lookup, Class<?> type, String name, MethodType shape, String caller, boolean literal)
            throws NoSuchMethodException, IllegalAccessException {
        MethodHandle handle = lookup.findVirtual(type, name, shape);
        note(caller, literal, "method", type, name);
        return handle;
    }

    @Traced
    public static MethodHandle findStatic(
            MethodHandles.Lookup lookup, Class<?> type, String name, MethodType shape, String caller, boolean literal)
            throws NoSuchMethodException, IllegalAccessException {
        MethodHandle handle = lookup.findStatic(type, name, shape);
        note(caller, literal, "method", type, name);
        return handle;
    }

    @Traced
    public static MethodHandle findConstructor(
            MethodHandles.Lookup lookup, Class<?> type, MethodType shape, String caller, boolean literal)
            throws NoSuchMethodException, IllegalAccessException {
        MethodHandle handle = lookup.findConstructor(type, shape);
        note(caller, literal, "method", type, "<init>");
        return handle;
    }

    @Traced
    public static VarHandle findVarHandle(
            MethodHandles.Lookup lookup, Class<?> type, String name, Class<?> field, String caller, boolean literal)
            throws NoSuchFieldException, IllegalAccessException {
        VarHandle handle = lookup.findVarHandle(type, name, field);
        note(caller, literal, "field", type, name);
        return handle;
    }

    @Traced
    public static VarHandle findStaticVarHandle(
            MethodHandles.Lookup lookup, Class<?> type, String name, Class<?> field, String caller, boolean literal)
            throws NoSuchFieldException, IllegalAccessException {
        VarHandle handle = lookup.findStaticVarHandle(type, name, field);
        note(caller, literal, "field", type, name);
        return handle;
    }

    @Traced
    public static Class<?> findClass(MethodHandles.Lookup lookup, String name, String caller, boolean literal)
            throws ClassNotFoundException, IllegalAccessException {
        Class<?> type = lookup.findClass(name);
        note(caller, literal, "type", type, "");
        return type;
    }

    @Traced
    public static Object newProxyInstance(
            ClassLoader loader, Class<?>[] interfaces, InvocationHandler handler, String caller, boolean literal) {
        note(
                caller,
                literal,
                "proxy",
                Arrays.stream(interfaces).map(Class::getName).collect(Collectors.joining(",")),
                "");
        return Proxy.newProxyInstance(loader, interfaces, handler);
    }
}
