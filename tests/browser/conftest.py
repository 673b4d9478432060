"""A real browser against the live server: Debian's Chromium, driven by Playwright."""

import os
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import sync_playwright

# Playwright runs a loop in the test's own thread; Django would take it for asynchronous code.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

CHROMIUM = "/usr/bin/chromium"
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session", autouse=True)
def static_root():
    """The live server serves the files as they lie; WhiteNoise still asks for its folder."""
    Path(settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium):
    context = chromium.new_context(viewport={"width": 1440, "height": 900}, locale="es-CO")
    context.set_default_timeout(20_000)
    yield context.new_page()
    context.close()


@pytest.fixture
def refusals(page):
    """What the browser refused or complained of: scripts, styles, addresses."""
    heard = []

    def hear(message):
        if message.type in {"error", "warning"}:
            heard.append(message.text)

    page.on("console", hear)
    page.on("pageerror", lambda error: heard.append(str(error)))
    return heard


@pytest.fixture
def log_in(page, live_server):
    """Log a person in, as that person would."""

    def run(user):
        page.goto(f"{live_server.url}/entrar/")
        page.fill("[name=username]", user.username)
        page.fill("[name=password]", "clave-de-prueba-1")
        page.click("main button[type=submit]")
        page.wait_for_url(f"{live_server.url}/")

    return run
