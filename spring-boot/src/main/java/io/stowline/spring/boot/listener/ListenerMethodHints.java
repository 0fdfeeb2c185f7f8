package io.stowline.spring.boot.listener;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.annotation.ReflectiveProcessor;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.messaging.handler.annotation.SendTo;

/** A processor that registers a listener method for its invocation, and the types of its bodies and replies for their codec. */
final class ListenerMethodHints implements ReflectiveProcessor {

    private final BindingReflectionHintsRegistrar bodies = new BindingReflectionHintsRegistrar();

    /** Made by Spring. */
    ListenerMethodHints() {}

    @Override
    public void registerReflectionHints(ReflectionHints hints, AnnotatedElement element) {
        if (element instanceof Method method) {
            hints.registerMethod(method, ExecutableMode.INVOKE);
            for (int i = 0; i < method.getParameterCount(); i++) {
                register(hints, ResolvableType.forMethodParameter(method, i));
            }
            if (AnnotatedElementUtils.hasAnnotation(method, SendTo.class)) {
                register(hints, ListenerSignature.reply(ResolvableType.forMethodReturnType(method)));
            }
        }
    }

    private void register(ReflectionHints hints, ResolvableType type) {
        Class<?> known = type.resolve();
        if (known != null && !known.isPrimitive() && !isOfLibrary(known)) {
            bodies.registerReflectionHints(hints, known);
        }
        for (ResolvableType generic : type.getGenerics()) {
            register(hints, generic);
        }
    }

    private static boolean isOfLibrary(Class<?> type) {
        String name = type.getName();
        return type.isArray()
                || name.startsWith("java.")
                || name.startsWith("org.springframework.messaging.")
                || name.startsWith("io.stowline.queue.");
    }
}
