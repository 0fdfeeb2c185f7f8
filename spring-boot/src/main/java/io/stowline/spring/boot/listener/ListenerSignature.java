package io.stowline.spring.boot.listener;

import io.stowline.queue.MessageLease;
import io.stowline.queue.QueueConsumer;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedMethod;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.messaging.handler.annotation.ValueConstants;
import org.springframework.messaging.support.MessageHeaderAccessor;
import org.springframework.util.ClassUtils;

/**
 * The parameters and the result of a listener method. A method that cannot be one is refused here, when the application starts.
 *
 * @param roles the roles of the parameters
 * @param body the type of the bodies; {@code null} if no parameter names it
 * @param batch whether the method takes several messages at a time
 * @param adapter makes a publisher of what the method returns; {@code null} if it returns nothing, or a value
 * @param reply the type of the bodies that the method returns; {@code null} if it sends none
 */
record ListenerSignature(
        List<ParameterRole> roles,
        @Nullable ResolvableType body,
        boolean batch,
        @Nullable ReactiveAdapter adapter,
        @Nullable ResolvableType reply) {

    private static final ConversionService CONVERSIONS = DefaultConversionService.getSharedInstance();
    private static final Map<String, Class<?>> HEADERS_OF_ALL =
            Map.of(QueueMessageHeaders.LISTENER_ID, String.class, QueueMessageHeaders.QUEUE, String.class);
    private static final Map<String, Class<?>> HEADERS_OF_ONE = Map.of(
            QueueMessageHeaders.MESSAGE_ID, String.class,
            QueueMessageHeaders.DEQUEUE_COUNT, Long.class,
            QueueMessageHeaders.INSERTED_AT, Instant.class,
            QueueMessageHeaders.EXPIRES_AT, Instant.class,
            MessageHeaders.TIMESTAMP, Long.class);

    /** The role of a parameter of a listener method. */
    enum ParameterRole {
        /** The body, as it is. */
        BODY(false),
        /** The body, which is validated first. */
        VALIDATED_BODY(false),
        /** The held message. */
        LEASE(false),
        /** A message of Spring Messaging. */
        MESSAGE(false),
        /** The bodies of a batch. */
        BODIES(true),
        /** The held messages of a batch. */
        LEASES(true),
        /** The batch itself. */
        BATCH(true),
        /** One header, or all of them. */
        HEADER(false);

        private final boolean batch;

        ParameterRole(boolean batch) {
            this.batch = batch;
        }
    }

    /**
     * Reads a method.
     *
     * @param method the method
     * @param type the class of its bean, which may fix type variables of the method's class
     * @param replies whether what it returns is sent
     * @throws IllegalArgumentException saying why it cannot listen
     */
    static ListenerSignature of(Method method, Class<?> type, boolean replies) {
        MethodParameter[] parameters = new AnnotatedMethod(method).getMethodParameters();
        List<ParameterRole> roles = new ArrayList<>();
        ResolvableType body = null;
        for (int i = 0; i < parameters.length; i++) {
            ResolvableType taken = ResolvableType.forMethodParameter(method, i, type);
            ParameterRole role = role(parameters[i], taken);
            roles.add(role);
            ResolvableType named = body(role, taken);
            if (named != null && body != null && !named.getType().equals(body.getType())) {
                throw new IllegalArgumentException(
                        "its parameters name two types of bodies, " + body + " and " + named);
            }
            body = named == null ? body : named;
        }
        boolean batch = roles.stream().anyMatch(role -> role.batch);
        check(roles, batch);
        for (MethodParameter parameter : parameters) {
            checkHeader(parameter, batch);
        }
        ResolvableType reply = replies ? reply(ResolvableType.forMethodReturnType(method, type), batch) : null;
        return new ListenerSignature(List.copyOf(roles), body, batch, adapter(method, batch, replies), reply);
    }

    /** Returns whether a body is validated. */
    boolean validates() {
        return roles.contains(ParameterRole.VALIDATED_BODY);
    }

    private static ParameterRole role(MethodParameter parameter, ResolvableType type) {
        Class<?> raw = type.toClass();
        if (parameter.hasParameterAnnotation(Header.class)
                || parameter.hasParameterAnnotation(Headers.class)
                || raw == MessageHeaders.class
                || MessageHeaderAccessor.class.isAssignableFrom(raw)) {
            return ParameterRole.HEADER;
        }
        Payload payload = parameter.getParameterAnnotation(Payload.class);
        if (payload != null && !payload.expression().isEmpty()) {
            throw new IllegalArgumentException("@Payload of '" + name(parameter) + "' has an expression");
        }
        boolean validated = isValidated(parameter);
        if (raw == MessageLease.class) {
            return ParameterRole.LEASE;
        } else if (raw == Message.class) {
            return ParameterRole.MESSAGE;
        } else if (raw == QueueConsumer.Batch.class) {
            return ParameterRole.BATCH;
        } else if (raw != List.class) {
            return validated ? ParameterRole.VALIDATED_BODY : ParameterRole.BODY;
        } else if (validated) {
            throw new IllegalArgumentException("the bodies of a batch cannot be validated");
        }
        return type.getGeneric(0).toClass() == MessageLease.class ? ParameterRole.LEASES : ParameterRole.BODIES;
    }

    private static String name(MethodParameter parameter) {
        return parameter.getParameter().getName();
    }

    private static boolean isValidated(MethodParameter parameter) {
        for (Annotation annotation : parameter.getParameterAnnotations()) {
            String name = annotation.annotationType().getSimpleName();
            if (name.equals("Validated") || name.startsWith("Valid")) {
                return true;
            }
        }
        return false;
    }

    /** Returns the type of the bodies that a parameter names, or {@code null}. */
    private static @Nullable ResolvableType body(ParameterRole role, ResolvableType type) {
        ResolvableType named =
                switch (role) {
                    case BODY, VALIDATED_BODY -> type;
                    case LEASE, MESSAGE, BATCH, BODIES -> type.getGeneric(0);
                    case LEASES -> type.getGeneric(0).getGeneric(0);
                    case HEADER -> ResolvableType.NONE;
                };
        Class<?> raw = named.resolve();
        if (raw == null) {
            return null;
        }
        return raw.isPrimitive() ? ResolvableType.forClass(ClassUtils.resolvePrimitiveIfNecessary(raw)) : named;
    }

    private static void check(List<ParameterRole> roles, boolean batch) {
        if (roles.stream().allMatch(role -> role == ParameterRole.HEADER)) {
            throw new IllegalArgumentException("it has no parameter for the message");
        }
        if (roles.stream()
                        .filter(role -> role == ParameterRole.BODY || role == ParameterRole.VALIDATED_BODY)
                        .count()
                > 1) {
            throw new IllegalArgumentException(
                    "it has several parameters for the body; headers need @Header or @Headers");
        }
        if (batch && roles.stream().anyMatch(role -> !role.batch && role != ParameterRole.HEADER)) {
            throw new IllegalArgumentException("it takes a batch and, beside it, a single message");
        }
    }

    /** The names of headers and their types are known, so that a mistake is found before the first message. */
    private static void checkHeader(MethodParameter parameter, boolean batch) {
        Header header = parameter.getParameterAnnotation(Header.class);
        if (header == null) {
            return;
        }
        String name = header.name().isEmpty() ? name(parameter) : header.name();
        Class<?> known = HEADERS_OF_ALL.get(name);
        if (known == null && !batch) {
            known = HEADERS_OF_ONE.get(name);
        }
        if (known == null) {
            boolean optional = !header.required()
                    || !header.defaultValue().equals(ValueConstants.DEFAULT_NONE)
                    || parameter.isOptional();
            if (!optional) {
                throw new IllegalArgumentException((batch ? "a batch" : "a message") + " has no header '" + name + "'");
            }
        } else if (!CONVERSIONS.canConvert(
                TypeDescriptor.valueOf(known), new TypeDescriptor(parameter.nestedIfOptional()))) {
            throw new IllegalArgumentException("the header '" + name + "' is of type " + known.getSimpleName()
                    + ", which cannot be converted to "
                    + parameter.getParameterType().getSimpleName());
        }
    }

    private static ResolvableType reply(ResolvableType returned, boolean batch) {
        if (batch) {
            throw new IllegalArgumentException("it takes a batch, so it cannot have @SendTo");
        }
        ResolvableType reply = reply(returned);
        Class<?> raw = reply.resolve();
        if (raw == null) {
            throw new IllegalArgumentException("it has @SendTo, but " + returned + " names no type of bodies");
        }
        if (raw == void.class || raw == Void.class) {
            throw new IllegalArgumentException("it has @SendTo, but returns nothing that could be sent");
        }
        return raw.isPrimitive() ? ResolvableType.forClass(ClassUtils.resolvePrimitiveIfNecessary(raw)) : reply;
    }

    /** Returns the type of the bodies in a result: of the value or its publisher, of the elements of a collection or stream, of the payload of a message. */
    static ResolvableType reply(ResolvableType returned) {
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(returned.toClass());
        ResolvableType value = adapter == null
                ? returned
                : adapter.isNoValue()
                        ? ResolvableType.forClass(Void.class)
                        : returned.as(adapter.getReactiveType()).getGeneric(0);
        Class<?> several = Stream.class.isAssignableFrom(value.toClass()) ? Stream.class : Collection.class;
        return within(within(value, several), Message.class);
    }

    private static ResolvableType within(ResolvableType type, Class<?> wrapper) {
        ResolvableType wrapped = type.as(wrapper);
        return wrapped.resolve() == null ? type : wrapped.getGeneric(0);
    }

    private static @Nullable ReactiveAdapter adapter(Method method, boolean batch, boolean replies) {
        Class<?> returned = method.getReturnType();
        if (returned == void.class || returned == Void.class) {
            return null;
        }
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(returned);
        if (adapter == null) {
            if (replies) {
                return null;
            }
            throw new IllegalArgumentException("it returns " + returned.getSimpleName()
                    + ", but a listener is void, has @SendTo, or returns a Publisher or a CompletionStage");
        }
        if (batch) {
            throw new IllegalArgumentException("it takes a batch, so it must be void");
        }
        return adapter;
    }
}
