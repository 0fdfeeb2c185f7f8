package io.stowline.spring.boot.listener;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.core.annotation.AliasFor;

/**
 * Marks a method of a bean as the handler of a queue's messages. A {@link QueueListenerContainer} runs an
 * {@link io.stowline.queue.QueueConsumer} for it, from the start of the application context to its stop.
 *
 * <pre>{@code
 * @Component
 * class Shipping {
 *
 *     @StowlineQueueListener(queue = "orders", concurrency = "4")
 *     void ship(Order order, @Header(QueueMessageHeaders.DEQUEUE_COUNT) long deliveries) {
 *         log.info("{} {}", order, deliveries);
 *     }
 * }
 * }</pre>
 *
 * <p><b>Parameters</b>, in any order:
 *
 * <ul>
 *   <li>the body, whose type is the type of the queue's messages. With {@code @Valid} or {@code @Validated} it is validated, and a message
 *       that is not valid goes to the poison queue at once
 *   <li>{@code MessageLease<T>}, the held message
 *   <li>{@code @Header} with a name of {@link QueueMessageHeaders}, {@code @Headers}, {@code MessageHeaders} and {@code Message<T>} of Spring
 *       Messaging
 *   <li>for a batch, {@code List<T>}, {@code List<MessageLease<T>>} or {@code QueueConsumer.Batch<T>}. A batch has the headers of its queue
 *       and listener only
 * </ul>
 *
 * <p><b>Result</b>: a return completes the message; an exception has it received again, as {@link io.stowline.queue.QueueConsumer} describes.
 * The method is {@code void}, has {@code @SendTo}, or returns a {@code Publisher}, a {@code CompletionStage} or another type that Spring adapts to a publisher.
 * The end of that publisher is the end of the handling. Such a method runs on the client's callback threads and must not block; it cannot
 * take batches.
 *
 * <p><b>Replies</b>: with {@code @SendTo} of Spring Messaging on the method, what it returns goes to another queue before the message is completed; a
 * send that fails fails the handling. {@code @SendTo} has the name of a queue's bean, of a queue of the same account, or
 * {@code account:queue}. A {@code null} sends nothing, a collection or stream one message for each element. In an envelope a reply has an event id that follows from the
 * message, so that the reply to a second delivery is a copy.
 *
 * <p><b>Failures</b>: the {@link #errorHandler} decides, else {@link #poisonOn} and {@link #uncountedOn}, else the bean of type {@code
 * QueueConsumer.FailureHandler}. Where none of them decides, the failure counts.
 *
 * <p><b>Beans</b>: the method is called through the proxy of its bean, so that transactions and other advice apply. A lazy bean is made when its
 * listener starts. A bean that is neither a singleton nor a scoped proxy cannot listen.
 *
 * <p><b>Values</b> may have placeholders, such as {@code ${orders.queue}}. A property below {@code stowline.consumers.<id>} goes before the
 * attribute of this annotation, and the attribute before the property of the same name below {@code stowline.consumers}.
 *
 * <p>Needs {@code spring-messaging} on the class path, which the starter brings.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(ListenerMethodHints.class)
public @interface StowlineQueueListener {

    /**
     * Sets the queue's name; the same as {@link #queue}.
     *
     * @return the name
     */
    @AliasFor("queue")
    String value() default "";

    /**
     * Sets the queue's name. If a {@code StowlineBeans} declares the queue, the listener uses that bean, with its codec.
     *
     * @return the name
     */
    @AliasFor("value")
    String queue() default "";

    /**
     * Sets the bean of type {@code MessageQueue} to listen to, in place of a queue's name: a view with an envelope or another codec, for instance.
     *
     * @return the bean's name
     */
    String queueBean() default "";

    /**
     * Sets the account of the queue.
     *
     * @return the name below {@code stowline.accounts}; the default account if it is empty
     */
    String account() default "";

    /**
     * Sets the listener's id, which names it in properties, in the registry, in health, meters and threads.
     *
     * @return lower-case letters, digits and hyphens; by default the queue's name, behind the account's name and a hyphen unless it is the
     *     default account
     */
    String id() default "";

    /**
     * Sets how many handlers run at a time; batches of them for a batch method.
     *
     * @return a number, 1 to 1,000; 16 by default
     */
    String concurrency() default "";

    /**
     * Sets how many messages a batch has at most.
     *
     * @return a number, 1 to 32, for a batch method only; 32 by default
     */
    String batch() default "";

    /**
     * Sets whether the listener starts with the application context.
     *
     * @return {@code true} or {@code false}; {@code true} by default
     */
    String autoStartup() default "";

    /**
     * Sets the handler that alone decides on all failures of this listener: {@link #poisonOn}, {@link #uncountedOn} and the handler of all listeners
     * have no effect on it.
     *
     * @return the name of a bean of type {@code QueueConsumer.FailureHandler}
     */
    String errorHandler() default "";

    /**
     * Sets the exceptions that send a message to the poison queue at once. The first exception of a chain of causes that is of a class of this
     * attribute or of {@link #uncountedOn}, or of a subclass, decides. If it is of a class of each, the subclass decides.
     *
     * @return the classes; those of the property {@code stowline.consumers.poison-on} if there are none
     */
    Class<? extends Throwable>[] poisonOn() default {};

    /**
     * Sets the exceptions that do not count as failures, such as those of a service that is not there for a time: the message is received again, and
     * is never poison by them. They are found as those of {@link #poisonOn}.
     *
     * @return the classes; those of the property {@code stowline.consumers.uncounted-on} if there are none
     */
    Class<? extends Throwable>[] uncountedOn() default {};
}
