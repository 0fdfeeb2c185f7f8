package io.stowline.testkit;

import io.stowline.testkit.internal.proxy.match.Glob;
import io.stowline.testkit.internal.proxy.match.MatchSpec;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * A description of requests: their properties, and the place in their sequence.
 *
 * <pre>{@code
 * RequestMatch second = requests().service(TABLE).method("POST").path("**$batch").nth(2);
 * }</pre>
 *
 * <p>A request has to meet all conditions. Matching requests are counted, from 1, and {@link #nth}, {@link #from}, {@link #every},
 * {@link #chance} and {@link #times} then choose among them.
 *
 * <p>Immutable: one description serves several rules, and each counts for itself.
 */
public final class RequestMatch {

    private final MatchSpec spec;

    private RequestMatch(MatchSpec spec) {
        this.spec = spec;
    }

    /**
     * Returns a description of all requests.
     *
     * @return a description that leaves nothing out
     */
    public static RequestMatch requests() {
        return new RequestMatch(new MatchSpec(List.of(), List.of()));
    }

    /**
     * Narrows to requests with one of these methods.
     *
     * @param methods such as {@code MERGE}
     * @return a narrower description
     */
    public RequestMatch method(String... methods) {
        Set<String> any = Set.of(methods);
        return and("method " + String.join(" or ", methods), request -> any.contains(request.method()));
    }

    /**
     * Narrows to requests to one of these services.
     *
     * @param services the services; an endpoint without a service is none of them
     * @return a narrower description
     */
    public RequestMatch service(StorageService... services) {
        List<StorageService> any = List.of(services);
        String names =
                String.join(" or ", any.stream().map(Enum::name).toList()).toLowerCase(Locale.ROOT);
        return and("service " + names, request -> any.stream().anyMatch(one -> one == request.service()));
    }

    /**
     * Narrows to requests with a path.
     *
     * @param glob what the whole raw path is compared with: {@code *} stands for anything without a slash, {@code **} for
     *     anything
     * @return a narrower description
     */
    public RequestMatch path(String glob) {
        Pattern pattern = Glob.pattern(glob);
        return and("path " + glob, request -> pattern.matcher(request.path()).matches());
    }

    /**
     * Narrows to requests with a header of a value.
     *
     * @param name the name, in any case
     * @param value the value
     * @return a narrower description
     */
    public RequestMatch header(String name, String value) {
        return and("header " + name + ": " + value, request -> value.equals(request.header(name)));
    }

    /**
     * Narrows to requests with a header whose value passes a test.
     *
     * @param name the name, in any case
     * @param test the test; not called when there is no such header
     * @return a narrower description
     */
    public RequestMatch header(String name, Predicate<String> test) {
        return and("a header " + name + " that passes a test", request -> {
            String value = request.header(name);
            return value != null && test.test(value);
        });
    }

    /**
     * Narrows to requests with a query parameter of a value.
     *
     * @param name the decoded name
     * @param value the decoded value
     * @return a narrower description
     */
    public RequestMatch query(String name, String value) {
        return and(
                "query " + name + "=" + value,
                request -> value.equals(request.query().get(name)));
    }

    /**
     * Narrows to requests with a query parameter whose value passes a test.
     *
     * @param name the decoded name
     * @param test the test of the decoded value; not called when there is no such parameter
     * @return a narrower description
     */
    public RequestMatch query(String name, Predicate<String> test) {
        return and("a query parameter " + name + " that passes a test", request -> {
            String value = request.query().get(name);
            return value != null && test.test(value);
        });
    }

    /**
     * Narrows to requests whose body contains a text.
     *
     * @param text the text
     * @return a narrower description
     */
    public RequestMatch bodyContaining(String text) {
        return and("a body with '" + text + "'", request -> request.text().contains(text));
    }

    /**
     * Narrows to requests that pass a test.
     *
     * @param name how the test is called in explanations
     * @param test the test
     * @return a narrower description
     */
    public RequestMatch when(String name, Predicate<SentRequest> test) {
        return and(name, test);
    }

    private RequestMatch and(String name, Predicate<SentRequest> test) {
        return new RequestMatch(spec.and(name, test));
    }

    /**
     * Narrows to only one of the requests that are like this.
     *
     * @param number which, from 1
     * @return a narrower description
     * @throws IllegalArgumentException if it is less than 1
     */
    public RequestMatch nth(long number) {
        long nth = checked("nth", number);
        return gate("nth(" + nth + ")", (count, taken, draw) -> count == nth);
    }

    /**
     * Narrows to one of the requests that are like this, and all after it.
     *
     * @param number from which on, from 1
     * @return a narrower description
     * @throws IllegalArgumentException if it is less than 1
     */
    public RequestMatch from(long number) {
        long first = checked("from", number);
        return gate("from(" + first + ")", (count, taken, draw) -> count >= first);
    }

    /**
     * Narrows to one in so many of the requests that are like this: with 3 the third, the sixth and so on.
     *
     * @param number one in how many, from 1
     * @return a narrower description
     * @throws IllegalArgumentException if it is less than 1
     */
    public RequestMatch every(long number) {
        long step = checked("every", number);
        return gate("every(" + step + ")", (count, taken, draw) -> count % step == 0);
    }

    /**
     * Narrows to some of the requests that are like this, by chance. The proxy's seed, the place of the rule and the order of the
     * requests decide which.
     *
     * @param probability 0 for none, 1 for all
     * @return a narrower description
     * @throws IllegalArgumentException if it is not from 0 to 1
     */
    public RequestMatch chance(double probability) {
        if (!(probability >= 0 && probability <= 1)) {
            throw new IllegalArgumentException("chance must be from 0 to 1: " + probability);
        }
        return gate("chance(" + probability + ")", (count, taken, draw) -> draw < probability);
    }

    /**
     * Narrows to the first so many requests.
     *
     * @param max how many, at least 1
     * @return a narrower description
     * @throws IllegalArgumentException if it is less than 1
     */
    public RequestMatch times(long max) {
        long limit = checked("times", max);
        return gate("times(" + limit + ")", (count, taken, draw) -> taken < limit);
    }

    private RequestMatch gate(String name, MatchSpec.GateTest test) {
        return new RequestMatch(spec.gate(name, test));
    }

    private static long checked(String name, long number) {
        if (number < 1) {
            throw new IllegalArgumentException(name + " must be at least 1: " + number);
        }
        return number;
    }

    MatchSpec spec() {
        return spec;
    }

    /** Names the conditions. */
    @Override
    public String toString() {
        return spec.toString();
    }
}
