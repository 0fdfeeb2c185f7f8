package io.stowline.spring.boot.repository;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The handler of the calls of one repository. Immutable and thread-safe. */
final class RepositoryProxy implements InvocationHandler {

    private static final Object[] NONE = {};

    private final String name;
    private final Map<Method, MethodCall> calls = new HashMap<>();

    private RepositoryProxy(String name) {
        this.name = name;
    }

    /** A method that is bound to what carries it out. */
    private interface MethodCall {
        @Nullable
        Object call(Object proxy, Object... arguments) throws Throwable;
    }

    /** A face of a repository, which carries derived methods out. */
    interface DerivedCalls<T> {
        Object call(DerivedMethod<T> method, Object... arguments);
    }

    /** Returns the handler of a repository. */
    static <T> RepositoryProxy of(Class<?> repository, DerivedCalls<T> face, DerivedMethods<T> methods) {
        RepositoryProxy proxy = new RepositoryProxy(repository.getSimpleName() + "[" + face + "]");
        for (Method method : repository.getMethods()) {
            DerivedMethod<T> derived = methods.get(method);
            if (derived != null) {
                proxy.calls.put(method, (object, arguments) -> face.call(derived, arguments));
            } else if (method.isDefault()) {
                MethodHandle handle = defaultMethod(repository, method);
                proxy.calls.put(
                        method, (object, arguments) -> handle.bindTo(object).invokeWithArguments(arguments));
            } else {
                proxy.calls.put(method, (object, arguments) -> invoke(method, face, arguments));
            }
        }
        return proxy;
    }

    /** A repository need not be public, so that its default methods are found as the interface itself finds them. */
    private static MethodHandle defaultMethod(Class<?> repository, Method method) {
        try {
            return MethodHandles.privateLookupIn(method.getDeclaringClass(), MethodHandles.lookup())
                    .unreflectSpecial(method, method.getDeclaringClass());
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException(
                    repository.getSimpleName() + "." + method.getName() + " cannot be called: " + e.getMessage(), e);
        }
    }

    private static @Nullable Object invoke(Method method, Object target, Object... arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        Object[] given = arguments == null ? NONE : arguments;
        MethodCall call = calls.get(method);
        if (call != null) {
            return call.call(proxy, given);
        }
        return switch (method.getName()) {
            case "equals" -> proxy == given[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> name;
        };
    }
}
