package io.stowline.system.recordings;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Second implementation of Shared Key, after the service's page "Authorize with Shared Key". It shares no code with the library or the
 * SDK.
 */
final class SignatureCheck {

    private static final String AUTHORIZATION = "Authorization";

    private static final List<String> STANDARD = List.of(
            "Content-Encoding",
            "Content-Language",
            "Content-Length",
            "Content-MD5",
            "Content-Type",
            "Date",
            "If-Modified-Since",
            "If-Match",
            "If-None-Match",
            "If-Unmodified-Since",
            "Range");

    private final String account;
    private final byte[] key;
    private final String sas;

    /**
     * Makes the check of one account.
     *
     * @param key its key in Base64
     * @param sas its shared access signature, as it stands in a query
     */
    SignatureCheck(String account, String key, String sas) {
        this.account = account;
        this.key = Base64.getDecoder().decode(key);
        this.sas = sas;
    }

    /** Returns what is wrong with the proof of a request, and with those of its parts if it is a batch of blobs. */
    List<String> against(String service, WireRequest request, boolean withSas) {
        List<String> wrong = new ArrayList<>();
        String proof = wrongProof(service, request, withSas);
        if (proof != null) {
            wrong.add(proof);
        }
        if (request.target().is("comp", "batch")) {
            wrong.addAll(againstParts(request, withSas));
        }
        return wrong;
    }

    private @Nullable String wrongProof(String service, WireRequest request, boolean withSas) {
        String proof = request.headers().value(AUTHORIZATION);
        if (withSas) {
            boolean carried = ("&" + request.target().query() + "&").contains("&" + sas + "&");
            return proof == null && carried ? null : request + " does not carry the SAS as it is, and it alone";
        }
        if (proof == null || proof.indexOf(' ') < 0) {
            return request + " has no proof";
        }
        String scheme = proof.substring(0, proof.indexOf(' '));
        String text = text(service, scheme, request);
        String expected = scheme + " " + account + ":" + sign(text);
        return proof.equals(expected) ? null : request + " has a signature of another text than " + text;
    }

    private List<String> againstParts(WireRequest batch, boolean withSas) {
        List<String> wrong = new ArrayList<>();
        for (String part : new String(batch.body(), StandardCharsets.UTF_8).split("--batch_[^\r]*\r\n")) {
            String[] halves = part.split("\r\n\r\n", 2);
            if (halves.length == 2) {
                String[] lines = halves[1].split("\r\n");
                String[] words = lines[0].split(" ");
                List<HeaderFields.Field> fields = Stream.of(lines)
                        .skip(1)
                        .filter(line -> line.contains(":"))
                        .map(line -> new HeaderFields.Field(
                                line.substring(0, line.indexOf(':')),
                                line.substring(line.indexOf(':') + 1).strip()))
                        .toList();
                WireRequest request =
                        new WireRequest(words[0], RequestTarget.of(words[1]), new HeaderFields(fields), new byte[0]);
                String difference = wrongProof("blob", request, withSas);
                if (difference != null) {
                    wrong.add(difference);
                }
            }
        }
        return wrong;
    }

    private String text(String service, String scheme, WireRequest request) {
        boolean table = service.equals("table");
        return switch (scheme) {
            case "SharedKey" -> table ? tableText(request) : storageText(request);
            case "SharedKeyLite" -> table ? date(request) + "\n" + tableResource(request) : "no such scheme here";
            default -> "no such scheme";
        };
    }

    private String tableText(WireRequest request) {
        return String.join(
                "\n",
                request.method(),
                request.headers().value("Content-MD5", ""),
                request.headers().value("Content-Type", ""),
                date(request),
                tableResource(request));
    }

    private static String date(WireRequest request) {
        return request.headers().value("x-ms-date", request.headers().value("Date", ""));
    }

    private String tableResource(WireRequest request) {
        String comp = request.target().parameter("comp");
        return "/" + account + request.target().path() + (comp == null ? "" : "?comp=" + comp);
    }

    private String storageText(WireRequest request) {
        List<String> lines = new ArrayList<>();
        lines.add(request.method());
        for (String name : STANDARD) {
            String value = request.headers().value(name, "");
            boolean absent = (name.equals("Content-Length") && value.equals("0"))
                    || (name.equals("Date") && request.headers().contains("x-ms-date"));
            lines.add(absent ? "" : value);
        }
        Map<String, String> own = new TreeMap<>();
        request.headers().fields().stream()
                .filter(field -> field.name().toLowerCase(Locale.ROOT).startsWith("x-ms-"))
                .forEach(field -> own.put(field.name().toLowerCase(Locale.ROOT), field.value()));
        own.forEach((name, value) -> lines.add(name + ":" + value.strip()));
        lines.add("/" + account + request.target().path());
        Map<String, String> parameters = new TreeMap<>();
        request.target().parameters().forEach((name, value) -> parameters.put(name.toLowerCase(Locale.ROOT), value));
        parameters.forEach((name, value) -> lines.add(name + ":" + value));
        return lines.stream().collect(Collectors.joining("\n"));
    }

    private String sign(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
