package io.stowline.spring.boot.listener;

import io.stowline.queue.MessageLease;
import io.stowline.queue.QueueConsumer;
import io.stowline.spring.boot.listener.ListenerSignature.ParameterRole;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapter;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.support.DefaultMessageHandlerMethodFactory;
import org.springframework.messaging.handler.annotation.support.MethodArgumentNotValidException;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;
import org.springframework.validation.FieldError;
import org.springframework.validation.Validator;
import reactor.core.publisher.Mono;

/** An invocation that calls the method of a listener through Spring Messaging. A body that is not valid never will be, so it is poison. Thread-safe. */
final class ListenerInvocation {

    private static final Logger LOG = LoggerFactory.getLogger(ListenerInvocation.class);

    private final String listener;
    private final String queue;
    private final InvocableHandlerMethod handler;
    private final @Nullable ListenerReply reply;

    ListenerInvocation(
            String listener,
            String queue,
            Object bean,
            Method method,
            ListenerSignature signature,
            @Nullable ListenerReply reply,
            @Nullable Validator validator) {
        this.listener = listener;
        this.queue = queue;
        this.reply = reply;
        DefaultMessageHandlerMethodFactory factory = new DefaultMessageHandlerMethodFactory();
        factory.setCustomArgumentResolvers(List.of(new SourceArgumentResolver(signature.roles())));
        if (validator != null) {
            factory.setValidator(validator);
        }
        factory.afterPropertiesSet();
        this.handler = factory.createInvocableHandlerMethod(bean, method);
    }

    <T> void handle(MessageLease<T> lease) throws Exception {
        try {
            Object result = handler.invoke(ListenedMessage.of(listener, queue, lease));
            if (reply != null) {
                reply.send(lease, result);
            }
        } catch (MethodArgumentNotValidException e) {
            lease.poison(invalid(lease, e));
        }
    }

    <T> void handle(QueueConsumer.Batch<T> batch) throws Exception {
        handler.invoke(ListenedMessage.of(listener, queue, batch));
    }

    <T> Publisher<?> publisher(MessageLease<T> lease, ReactiveAdapter adapter) {
        try {
            Object result = handler.invoke(ListenedMessage.of(listener, queue, lease));
            if (result == null) {
                return Mono.error(nothing());
            }
            Publisher<?> results = adapter.toPublisher(result);
            return reply == null ? results : reply.send(lease, results);
        } catch (MethodArgumentNotValidException e) {
            return lease.reactive().poison(invalid(lease, e));
        } catch (Exception e) {
            return Mono.error(e);
        }
    }

    /** A missing result does not show the end of the handling, so the message must not be deleted. */
    private IllegalStateException nothing() {
        return new IllegalStateException("the method of the listener '" + listener + "' returned null in place of a "
                + handler.getReturnType().getParameterType().getSimpleName());
    }

    /** Leaves out the values, which the poison queue has anyway and a log must not have. */
    private String invalid(MessageLease<?> lease, MethodArgumentNotValidException invalid) {
        String why = "not valid: "
                + (invalid.getBindingResult() == null
                        ? "no body"
                        : invalid.getBindingResult().getAllErrors().stream()
                                .map(error -> error instanceof FieldError field
                                        ? field.getField() + " " + field.getDefaultMessage()
                                        : String.valueOf(error.getDefaultMessage()))
                                .sorted()
                                .collect(Collectors.joining(", ")));
        LOG.warn("The listener '{}' moves the message {} to the poison queue: {}", listener, lease.id(), why);
        return why;
    }

    /** A resolver of the arguments that only this library knows, and of bodies without conversion: the queue's codec has made them. */
    private record SourceArgumentResolver(List<ParameterRole> roles) implements HandlerMethodArgumentResolver {

        @Override
        public boolean supportsParameter(MethodParameter parameter) {
            return switch (roles.get(parameter.getParameterIndex())) {
                case BODY, LEASE, BODIES, LEASES, BATCH -> true;
                case VALIDATED_BODY, MESSAGE, HEADER -> false;
            };
        }

        @Override
        public @Nullable Object resolveArgument(MethodParameter parameter, Message<?> message) {
            ListenedMessage known = (ListenedMessage) message;
            return switch (roles.get(parameter.getParameterIndex())) {
                case LEASE, BATCH -> known.source();
                case LEASES -> ((QueueConsumer.Batch<?>) known.source()).messages();
                default -> known.payload();
            };
        }
    }
}
