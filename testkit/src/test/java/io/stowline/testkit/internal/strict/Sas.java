package io.stowline.testkit.internal.strict;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Shared access signatures of the well-known account of the emulator, whose key is public. */
public final class Sas {

    static final String KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
    private static final String VERSION = "2019-07-07";
    private static final String EXPIRY = "2099-01-01T00:00:00Z";

    private Sas() {}

    /** A signature for one table; of {@code more} sip, spk, srk, epk and erk are known. */
    static Map<String, String> table(String table, String permissions, Map<String, String> more) {
        Map<String, String> parameters = new LinkedHashMap<>(more);
        parameters.put("tn", table);
        parameters.put("sp", permissions);
        parameters.put("se", EXPIRY);
        parameters.put("sv", VERSION);
        parameters.put(
                "sig",
                sign(String.join(
                        "\n",
                        permissions,
                        "",
                        EXPIRY,
                        "/table/" + StrictProbe.ACCOUNT + "/" + table.toLowerCase(Locale.ROOT),
                        "",
                        more.getOrDefault("sip", ""),
                        "",
                        VERSION,
                        more.getOrDefault("spk", ""),
                        more.getOrDefault("srk", ""),
                        more.getOrDefault("epk", ""),
                        more.getOrDefault("erk", ""))));
        return parameters;
    }

    /** A signature for the tables, queues and blobs of the account. */
    static Map<String, String> account(String permissions) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("sp", permissions);
        parameters.put("ss", "bqt");
        parameters.put("srt", "sco");
        parameters.put("se", EXPIRY);
        parameters.put("sv", VERSION);
        parameters.put(
                "sig",
                sign(String.join(
                        "\n", StrictProbe.ACCOUNT, permissions, "bqt", "sco", "", EXPIRY, "", "", VERSION, "")));
        return parameters;
    }

    static String sign(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(KEY), "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
