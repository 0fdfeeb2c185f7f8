package io.stowline.examples.photodrop;

import io.stowline.Stowline;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.Objects;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** A filter that lets the page talk to this service and the storage only, and keeps signatures out of caches. */
@Component
class PageHeaders extends OncePerRequestFilter {

    private final String policy;

    PageHeaders(Stowline storage) {
        URI endpoint = Objects.requireNonNull(storage.endpoints().get("blob"), "the account has no endpoint of blobs");
        String origin = endpoint.getScheme() + "://" + endpoint.getRawAuthority();
        policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' " + origin
                + "; connect-src 'self' " + origin + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        response.setHeader("Content-Security-Policy", policy);
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("X-Content-Type-Options", "nosniff");
        if (request.getRequestURI().startsWith("/photos")) {
            response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        }
        chain.doFilter(request, response);
    }
}
