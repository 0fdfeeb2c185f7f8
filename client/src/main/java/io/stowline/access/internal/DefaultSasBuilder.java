package io.stowline.access.internal;

import io.netty.util.NetUtil;
import io.stowline.access.AccessPolicy;
import io.stowline.access.SasBuilder;
import io.stowline.access.SharedAccessSignature;
import io.stowline.error.internal.PrintableText;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The settings that signatures of all resources have. Not thread-safe, but the result of {@link #sign} is independent of later settings. */
public abstract class DefaultSasBuilder<B extends SasBuilder<B, R>, R> implements SasBuilder<B, R> {

    private static final Duration STANDARD_LIFE = Duration.ofMinutes(30);
    /** The clocks of the service may be that far behind (its page "Best practices when using SAS"). */
    private static final Duration BACK = Duration.ofMinutes(15);

    private static final Duration MAX_LIFE = Duration.ofDays(36_500);
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");
    private static final Pattern SCOPE = Pattern.compile("[A-Za-z0-9-]{3,63}");

    /** The settings that a stored access policy cannot carry, by their parameters. */
    private static final Map<String, String> ONLY_SIGNED = Map.ofEntries(
            Map.entry("sip", "onlyFrom(..)"),
            Map.entry(SasFields.POLICY, "byPolicy(..)"),
            Map.entry("ses", "encryptedBy(..)"),
            Map.entry("rscc", "servedWithCacheControl(..)"),
            Map.entry("rscd", "servedWithContentDisposition(..)"),
            Map.entry("rsce", "servedWithContentEncoding(..)"),
            Map.entry("rscl", "servedWithContentLanguage(..)"),
            Map.entry("rsct", "servedWithContentType(..)"),
            Map.entry("spk", "a range of keys"));

    private final SasSigner signer;
    private final String order;
    private final Function<Mono<SharedAccessSignature>, R> result;
    private final Map<String, String> parameters = new LinkedHashMap<>();
    private Function<Instant, @Nullable Instant> end = now -> now.plus(STANDARD_LIFE);
    private boolean endGiven;
    private Function<Instant, @Nullable Instant> start = now -> null;
    private boolean plainHttp;

    /**
     * Begins a signature.
     *
     * @param order the letters of all permissions in the order in which the service wants them
     * @param result makes what the caller gets of the signature
     */
    DefaultSasBuilder(SasSigner signer, String order, Function<Mono<SharedAccessSignature>, R> result) {
        this.signer = signer;
        this.order = order;
        this.result = result;
    }

    /** Returns this builder as its users see it. */
    abstract B self();

    /**
     * Signs.
     *
     * @param end when the signature ends, or {@code null} if a policy sets that
     */
    abstract Mono<SharedAccessSignature> sign(SasSigner signer, Map<String, String> complete, @Nullable Instant end);

    B permit(char permission) {
        return add(SasFields.PERMISSIONS, permission, order);
    }

    /** Adds a letter to a parameter, whose letters stand in the service's order whatever the order of the calls. */
    B add(String parameter, char letter, String lettersInOrder) {
        String present = parameters.getOrDefault(parameter, "") + letter;
        StringBuilder letters = new StringBuilder();
        for (int i = 0; i < lettersInOrder.length(); i++) {
            if (present.indexOf(lettersInOrder.charAt(i)) >= 0) {
                letters.append(lettersInOrder.charAt(i));
            }
        }
        return set(parameter, letters.toString());
    }

    B set(String parameter, String value) {
        Objects.requireNonNull(value, parameter);
        if (value.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("the value of " + parameter
                    + " has a control character, which a signature cannot carry: " + PrintableText.of(value));
        }
        parameters.put(parameter, value);
        return self();
    }

    void unset(String parameter) {
        parameters.remove(parameter);
    }

    B policy(String policy) {
        Objects.requireNonNull(policy, "policy");
        return set(SasFields.POLICY, new AccessPolicy(policy, "", Optional.empty(), Optional.empty()).id());
    }

    /**
     * Returns what this builder describes as a stored access policy in place of a signature.
     *
     * @throws IllegalArgumentException if its identifier is not allowed, or it has what only a signature carries
     */
    public AccessPolicy stored(String id) {
        parameters.keySet().stream()
                .map(ONLY_SIGNED::get)
                .filter(Objects::nonNull)
                .findFirst()
                .ifPresent(DefaultSasBuilder::refuseStored);
        if (plainHttp) {
            refuseStored("overHttpToo()");
        }
        Instant now = signer.now();
        return new AccessPolicy(
                id,
                parameters.getOrDefault(SasFields.PERMISSIONS, ""),
                Optional.ofNullable(seconds(start.apply(now))),
                endGiven ? Optional.ofNullable(seconds(end.apply(now))) : Optional.empty());
    }

    private static void refuseStored(String setting) {
        throw new IllegalArgumentException("a stored access policy has permissions, a start and an end, but not "
                + setting + ": set that where the signature is made");
    }

    B encryptionScope(String scope) {
        Objects.requireNonNull(scope, "scope");
        if (!SCOPE.matcher(scope).matches()) {
            throw new IllegalArgumentException(
                    "the name of an encryption scope has 3 to 63 letters, digits and hyphens, not: " + scope);
        }
        return set("ses", scope);
    }

    @Override
    public B validFor(Duration time) {
        if (time.compareTo(Duration.ofSeconds(1)) < 0 || time.compareTo(MAX_LIFE) > 0) {
            throw new IllegalArgumentException("a signature is good for 1 s to 36,500 days, not " + time);
        }
        return ending(now -> now.plus(time));
    }

    @Override
    public B until(Instant given) {
        Objects.requireNonNull(given, "end");
        return ending(now -> given);
    }

    private B ending(Function<Instant, @Nullable Instant> given) {
        end = given;
        endGiven = true;
        return self();
    }

    @Override
    public B startingAt(Instant given) {
        Objects.requireNonNull(given, "start");
        start = now -> given;
        return self();
    }

    @Override
    public B backdated() {
        start = now -> now.minus(BACK);
        return self();
    }

    @Override
    public B onlyFrom(String first, String last) {
        if (number(first) > number(last)) {
            throw new IllegalArgumentException("the range of addresses " + first + " to " + last + " is empty");
        }
        return set("sip", first.equals(last) ? first : first + "-" + last);
    }

    private static long number(String address) {
        if (!NetUtil.isValidIpV4Address(address)) {
            throw new IllegalArgumentException(
                    "a signature is bound to IPv4 addresses such as 168.1.5.60, not " + address);
        }
        long number = 0;
        for (String part : address.split("\\.", -1)) {
            number = number * 256 + Integer.parseInt(part);
        }
        return number;
    }

    @Override
    public B overHttpToo() {
        plainHttp = true;
        return self();
    }

    @Override
    public R sign() {
        Map<String, String> given = new LinkedHashMap<>(parameters);
        boolean byPolicy = given.containsKey(SasFields.POLICY);
        if (!byPolicy && !given.containsKey(SasFields.PERMISSIONS)) {
            throw new IllegalArgumentException("the signature allows nothing: name its permissions by can…(), or a"
                    + " stored access policy by byPolicy(..)");
        }
        given.put("spr", plainHttp || signer.isLocal() ? "https,http" : "https");
        Function<Instant, @Nullable Instant> starts = start;
        Function<Instant, @Nullable Instant> ends = byPolicy && !endGiven ? now -> null : end;
        return result.apply(Mono.defer(() -> {
            Instant now = signer.now();
            Instant from = seconds(starts.apply(now));
            Instant to = seconds(ends.apply(now));
            check(now, from, to);
            Map<String, String> complete = new LinkedHashMap<>(given);
            put(complete, SasFields.START, from);
            put(complete, SasFields.END, to);
            return sign(signer, complete, to);
        }));
    }

    private static @Nullable Instant seconds(@Nullable Instant time) {
        return time == null ? null : time.truncatedTo(ChronoUnit.SECONDS);
    }

    private static void put(Map<String, String> parameters, String name, @Nullable Instant time) {
        if (time != null) {
            parameters.put(name, time.toString());
        }
    }

    private static void check(Instant now, @Nullable Instant from, @Nullable Instant to) {
        if (to != null && !to.isAfter(now.truncatedTo(ChronoUnit.SECONDS))) {
            throw new IllegalArgumentException("the signature has ended already: its end is " + to + ", now is " + now);
        }
        if (to != null && to.isAfter(LAST)) {
            throw new IllegalArgumentException("a signature ends at " + LAST + " at the latest, not at " + to);
        }
        if (to != null && from != null && !from.isBefore(to)) {
            throw new IllegalArgumentException(
                    "the signature begins at " + from + ", which is not before its end at " + to);
        }
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + parameters.getOrDefault(SasFields.PERMISSIONS, "") + "]";
    }
}
